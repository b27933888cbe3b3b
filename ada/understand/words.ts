import { plain } from './text.js';

const set = (text: string): Set<string> => new Set(text.split(/\s+/).filter(Boolean).map(plain));

/** Small words: they join what stands on both sides of them. */
export const JOINS = set('de del y e la las los el al para con of and');
/** Words of asking, greeting, pointing and counting: whatever the request, they are not what it is about. */
export const ASKING =
  set(`a ada al algo alguien alguna alguno algunas algunos ando andamos ante antes aqui asi aun bien buen buena buenas buenos bueno busca buscame busco buscamos vusca encuentra encuentrame cada casi chance checa checame chequen claro
  como compara comparame comparar comparemos comparacion con contra cual cuales cuando cuanta cuantas cuanto cuantos kuantos quantos kuantas cuants d q da dame dan das de del desde durante dia dias dime di donde dos e el ella ellas ellos en encima ensename enseñame enseñamelos ensenamelos entonces entre era eran es esa esas ese esos esta estaba estan estar estas este esto estos estoy
  existe existen existir fue fueron favor gracias gran grande grandes ha haber habra han has hasta hay ay hola holaa hoy y i ir ire ayer la las le les lo los mas me mejor mejores menos mi mia mio mis misma mismo mismas mismos mira momento mucha muchas mucho muchos muestra muestrame muestramelos muestramelas muy nada
  necesito necesitamos ni no nomas noches nos nuestra nuestras nuestro nuestros o ocupo ocupamos ok okey onda orale otra otras otro otros oye para pa pasa pasame pero plis poco pocos por porfa porfas porfavor porque primera primero primeros puede puedes puedo pues q qe que quien quienes kien quiero quisiera queremos quieres queria saber saca sacame
  se sea sean ser seria si sin sobre solo solamente son soy su sus tal tambien tan tanto te tengo tiene tienen tienes toda todas todo todos traeme trae tu tus un una unas uno unos usted va vamos van ve veces ver verdad vez x xfa xfavor ya yo tardes kiero q' urge ahora ahorita mañana manana semana mes año años ultimos ultimas ultimo ultima pasado pasada proximo proximos
  dale ayuda ayudame ayudas ayudarme podrias podrian pueda puedan podamos pudiera pudieran favorcito hazme haz arma armame lista listado listame relacion tabla resumen informacion info datos dato numero numerito total totales aproximado aproximadamente cifra conteo universo tamaño tamano tamanio mercado nomas digas dices dijo quedate quede
  how many much are there is it the a an of in on at to for and or who what which when where me my i we our us you your can could please show find give get tell list have has had do does did want need looking look with from that this those these all any some by be been would like over last years year months month since hey hi hello thanks thank long
  segundo segunda segundos segundas tercero tercera terceros cuarta quinto quinta second third fourth vendemos ofrecemos ofrezco fabricamos fabrico producimos distribuimos exporta exportame exportalo exportar descarga descargame descargar convierte convierteme pdf excel csv most biggest largest top main best leading smallest duda dudas pregunta siguen sigan continuan operan operen quedan gasta gastan gastado gastaron gasto enlistame enlista enlistar mandales mandale jalate jala cuentame cuentalos cuentalas cuentanos cuenta contar principales principal importantes importante fuertes sabes sabe decir dices dirias nomás unos cuantos conviene convendria conviene abrir plaza plazas movernos mover moverme movemos expandirnos expandir expandirme crecer territorio territorios pegamos cubrimos entrarle atacar cover move expand dos tres cuatro cinco seis siete ocho nueve diez doce quince veinte treinta cuarenta cincuenta cien two three four five ten twenty fifty habria hubiera seran fuera eso esos aquel aquella alla aca acá allí ahi ahí cerca aquí país pais mexico mexicana mexicano mexicanos mexicanas republica nacional nacionales estado estados zona region municipio ciudad local locales`);
/** Kinds of companies: what they do comes after them. */
export const COMPANIES =
  set(`empresa empresas enpresa enpresas empersas compania companias negocio negocios fabrica fabricas fabricante fabricantes planta plantas industria industrias industrial industriales proveedor proveedora proveedores proveedoras provedor provedores proveeodres provedora tienda tiendas despacho despachos microempresas microempresa distribuidor distribuidora
  distribuidores distribuidoras productor productores prospecto prospectos cliente clientes taller talleres maquiladora maquiladoras giro giros ramo ramos sector sectores rubro segmento segmentos industria companies company firms firm suppliers supplier vendors vendor manufacturers manufacturer makers businesses business pymes pyme leads accounts target grupo
  comercializadora comercializadoras mayoristas mayorista agencia agencias organizaciones corporativos registrados registradas registrado medianas mediana mediano medianos chicas chica chicos chico pequeñas pequenas pequeña pequena micro micros gobierno publico publicos publica publicas padron competencia competidores potenciales cotizan licitan licitar
  fabrican fabrica fabrique venden vende vendan vendo vender producen produce producir hacen hace hagan hacer dedican dedica dedicada dedicadas dedicados ofrecen ofrece ofrecer rentan surten surte surta surtir proveen provee proveer instalan instala distribuyen maquilan operan tengan trabajan operan andan existentes enlistes enlistar competencia clase compran compra compren comprar compradores comprado comprada`);
/** Words about public contracts. */
export const CONTRACTS =
  set(`vendido vendida vendio vendieron vende venden vendiendo vendia bende bendido surte surten surtio surtido surtiendo provee proveen proveyo proveido ganado gano ganaron gana ganan ganar ganador ganadores ganadora adjudico adjudicaron adjudicado adjudicada adjudicados adjudicadas adjudicacion adjudicaciones adjudicasiones adjudicar
  contrato contratos contartos contratacion contrataciones compra compras compro compraron comprado comprar compran licitacion licitaciones lisitaciones licita concurso concursos convocatoria convocatorias convoctorias fallo fallos proveedor proveedores incumbente actual actuales anterior anteriores historial historico historia ranking monto montos
  gasto gastado gastaron cuesta facturado facturo recurrencia frecuencia seguido repite repiten dependencia dependencias institucion gobierno federal estatal publico publica publicos cliente quienes lleva llevo llevaron trae tiene amarrado dieron sold sells sell supplies supplied supply supplier suppliers won win wins winner winners award awards awarded
  contract contracts past bought buys buy purchased buying buyer tender tenders government agency abierta abiertas abierto abiertos vigente vigentes nueva nuevas nuevo salio salieron cierra cierran cierre vence vencen pronto participar entrar venta ventas venderle venderles vendamos oportunidad oportunidades señal señales senales senal open opportunities opportunity closing
  close deadline fecha limite plazo dias faltan falta propuesta propuestas aclaraciones junta preguntas detalle detalles compranet convenio pedido pedidos orden incluye candidatos candidato directa directas publicadas publicado publicados procedimiento procedimientos estan esten estaran seguimiento sigo seguimos participamos vamos mandamos metimos servicio servicios producto productos articulo articulos`);
/** Areas, ranks and what is asked of people. */
export const PEOPLE =
  set(`contacto contactos persona personas gente responsable responsables encargado encargada encargados encargadas jefe jefa jefes jefas gerente gerentes director directora directores directoras direccion general lider lideres comprador compradora compradores dueño duenos dueños dueno dueña propietario ceo cfo coo cto correo correos mail mails email
  emails e-mail telefono telefonos telefnoos celular cel whats whatsapp linkedin decide deciden deside decisor decisores decision tomador tomadores toma compras compra comprar abastecimiento procurement purchasing adquisiciones suministros operaciones operacion produccion planta manufactura logistica almacen finanzas finance contabilidad tesoreria ventas comercial calidad
  sistemas ti tecnologias recursos humanos rh hr mantenimiento maintenance mercadotecnia marketing area departamento puesto puestos cargo nombres nombre consigue consigueme consiguenos conseguir hablo hablar dirijo busco escribo manda firma firman lleva llevan ve cuesta cuestan costaria cuestame precio revelar revela reveles desbloquea encargue head people person contacts
  contact decides manager managers plant operations logistics quality saca sacar sale saldria correito busquen encontrar encuentra averigua averiguame datos ocntactos ubica ubicame localiza esta`);
/** What is said about an account. */
export const ACCOUNT =
  set(`cuenta cuentas empresa empresas cliente clientes prospecto prospectos ficha historial hisotrial historia resumen sabemos sabes se sé paso pasos siguiente sigue seguimos hago hacemos hacer toca trabaja trabajar trabajemos trabajamos dia corriente ponme quedamos quedo vamos andamos va etapa etapas junta juntas llamada llamadas llamda reunion reuniones veo preparame prepara prepararme
  preparar atorada atorado parada muevo mover destrabo destrabar entro entrarle califica calificar viable vale pena suelto suelta recupero recuperar enfrio ultimo contacto apuntado apuntada notas abre abrir revisa revisar recuerdame platicamos hablamos contestaron next step know about bring speed up account call meeting prep plan cerrar interesada digo decirles decirle enq history status crm pipeline qué como
  sancionada sancionado sancionadas sancionados inhabilitada inhabilitado sanctioned blacklisted debarred expediente expedientes antecedentes estatus status fase razon social rfc registro listo escribirle tenemos anotado onda les fue mandamos viendo quien quién`);
/** What is said around a topic of the playbook. */
export const TOPIC =
  set(`playbook playbok pleibuk equipo sabe sabemos saber dice dise escrito escrita documentado nota notas apuntado tenemos hay sector giro tema temas contestamos contesto contestar responder respondemos responde decimos cuando dicen dice clientes cliente manejamos manejo manejar busca buscar usamos usar internas interna politica politicas regla reglas guia
  quien ke q según segun nosotros vendemos vender hemos aprendido aprendimos aprendizajes does say says do about the our we us how tell me with playbook anything written team what know aplica nuestras esta muy cual es son entrarle antes mejores practicas oficial proceso dicho`);

/** Whether a word belongs to any of the sets, as it is or without its pronouns. */
export const inAny = (word: string, sets: ReadonlyArray<ReadonlySet<string>>): boolean => {
  const flat = plain(word);
  return (
    /^\d/.test(flat) ||
    sets.some((one) => one.has(flat)) ||
    (/(?:me|lo|la|los|las|le|les|melos|melas)$/.test(flat) &&
      flat.length > 5 &&
      sets.some((one) => one.has(flat.replace(/(?:me|nos|te|se)?(?:lo|la|los|las|le|les|me)$/, ''))))
  );
};

export interface Chunk {
  value: string;
  from: number;
  to: number;
  capital: boolean;
}
/**
 * What remains of a message without the words that only ask: runs of content words, with the small words between two of them.
 * @param blanked parts that were read as something else, as ranges.
 */
export const remains = (
  given: string,
  sets: ReadonlyArray<ReadonlySet<string>>,
  blanked: ReadonlyArray<{ from: number; to: number }>,
): Chunk[] => {
  const chunks: Chunk[] = [];
  let now: Chunk | null = null;
  let bridge = false;
  let end = 0;
  for (const match of given.matchAll(/[\p{L}\p{N}&][\p{L}\p{N}&.'’+-]*/gu)) {
    const word = match[0].replace(/[.'’-]+$/, '');
    const [from, to] = [match.index, match.index + word.length];
    const apart = /[,;:!?¿¡()"«»]|\.\s/.test(given.slice(end, from));
    end = to;
    if (apart) {
      now = null;
      bridge = false;
    }
    if (blanked.some((one) => from < one.to && to > one.from)) {
      now = null;
      bridge = false;
      continue;
    }
    const content = !inAny(word, sets);
    if (!content) {
      bridge = now !== null && !bridge && JOINS.has(plain(word));
      if (!bridge && now !== null && !JOINS.has(plain(word))) now = null;
      continue;
    }
    if (now !== null) {
      now.to = to;
      now.value = given.slice(now.from, to);
      now.capital ||= /^\p{Lu}/u.test(word);
    } else {
      now = { value: word, from, to, capital: /^\p{Lu}/u.test(word) };
      chunks.push(now);
    }
    bridge = false;
  }
  return chunks;
};
