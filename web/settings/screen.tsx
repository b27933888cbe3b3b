import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { getSettings, putSettings } from '../data/api.js';
import { serverNow } from '../data/http.js';
import { keys } from '../data/queries.js';
import { useAnnouncer } from '../shell/announcer.js';
import { LeaveEverywhere } from '../shell/leave-everywhere.js';
import { useLook } from '../shell/look.js';
import { Problem } from '../shell/problem.js';
import { useWho } from '../shell/session.js';
import { useWords } from '../words/words.js';
import { DeviceView } from './device.js';
import { Exclusions } from './exclusion-list.js';
import { merged, type Fields } from './form.js';
import { WorkspaceView } from './workspace.js';
import type { Settings } from '../../contracts/api.js';

/** How the page looks here, how the workspace works, and who is left alone. */
export const SettingsScreen = (): ReactNode => {
  const { say, moment } = useWords();
  const who = useWho();
  const look = useLook();
  const cache = useQueryClient();
  const announcer = useAnnouncer();
  const [savedAt, setSavedAt] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: keys.settings, queryFn: getSettings, staleTime: 60_000 });
  const save = async (fields: Fields, read: Settings): Promise<void> => {
    const fresh = await putSettings(merged(read, await getSettings(), fields));
    cache.setQueryData(keys.settings, fresh);
    setSavedAt(new Date(serverNow()).toISOString());
    announcer.say('settings', say('web.settings.said_saved'));
  };
  const operator = who.roles.includes('operator');
  return (
    <div className="settings">
      <h1>{say('web.nav.settings')}</h1>
      <DeviceView {...look} />
      {data ? (
        <WorkspaceView
          settings={data}
          may={operator || who.roles.includes('approver')}
          operator={operator}
          save={save}
          savedAt={savedAt === null ? null : moment(savedAt)}
        />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <p className="panel quiet">{say('web.loading')}</p>
      )}
      <Exclusions />
      <LeaveEverywhere />
    </div>
  );
};
