using System.Collections.Concurrent;

namespace Larder.Server.Security;

/// <summary>The methods that reload the token and key files, and that end the streams whose token is no longer valid.</summary>
internal sealed partial class AccessControl
{
    private readonly string _option;
    private readonly string _path;
    private readonly string? _keyPath;
    private readonly FileWatch _watch;
    private readonly FileWatch? _keyWatch;
    private readonly RevokedTokens _former;
    private readonly ConcurrentDictionary<AccessSession, bool> _sessions = new();
    private volatile TokenTable _table;

    /// <param name="option">The command-line option of the token file, for error messages.</param>
    /// <param name="path">The path of the token file.</param>
    /// <param name="time">The clock.</param>
    /// <param name="keyPath">The path of the file with the keys that sign disposable tokens; null if not configured.</param>
    /// <exception cref="ServerOptionsException">A file cannot be read or is invalid.</exception>
    public AccessControl(string option, string path, TimeProvider time, string? keyPath = null)
    {
        _option = option;
        _path = path;
        _keyPath = keyPath;
        Time = time;
        _former = new RevokedTokens(time);
        _watch = new FileWatch(path);
        _keyWatch = keyPath is null ? null : new FileWatch(keyPath);
        _table = Read();
    }

    /// <summary>Gets the path of the token file.</summary>
    public string Path => _path;

    /// <summary>Gets the path of the key file; null if not configured.</summary>
    public string? KeyPath => _keyPath;

    /// <summary>
    /// Gets whether a file differs from the loaded version. A file that has changed since the previous check does not count yet, because it may still be being
    /// written. Only one thread may use this property.
    /// </summary>
    public bool HasFileChanged => _watch.HasChanged() | (_keyWatch?.HasChanged() ?? false);

    /// <summary>Gets the token table that was loaded last.</summary>
    public TokenTable Table => _table;

    public IEnumerable<AccessSession> Sessions => _sessions.Keys;

    /// <summary>
    /// Reloads the files. Afterwards, calls and streams use the new table. Streams that wait for their client are ended if their token is no longer valid.
    /// </summary>
    /// <exception cref="ServerOptionsException">A file cannot be read or is invalid. The previous table remains in use.</exception>
    public void Reload()
    {
        _watch.Note();
        _keyWatch?.Note();
        TokenTable before = _table;
        _table = Read();
        _former.Add(before.Digests.Except(_table.Digests));
        if (before.Keys is { } keys && !keys.AreSameAs(_table.Keys))
        {
            _former.Add(keys);
        }

        HashSet<string> names = [.. _table.Entries.SelectMany(static entry => (string[])[entry.UseName, TokenEntry.DisposableUseName(entry.Id)])];
        foreach (string gone in _uses.Keys.Where(name => !names.Contains(name)))
        {
            _uses.TryRemove(gone, out _);
        }

        EndSessions();
    }

    /// <summary>Ends the streams whose token was removed or has expired, even if they are waiting for their client.</summary>
    public void EndSessions()
    {
        foreach (AccessSession session in _sessions.Keys)
        {
            session.EndIfExpired();
        }
    }

    /// <summary>Registers a new stream. Its token is checked whenever the stream reads.</summary>
    /// <param name="token">The token that opened the stream.</param>
    /// <param name="opening">The properties of the call that opened the stream.</param>
    public AccessSession Open(AuthenticatedCaller token, AccessSession.Opening opening)
    {
        AccessSession session = new(this, token, opening);
        _sessions[session] = true;
        return session;
    }

    /// <summary>Removes a stream that has ended.</summary>
    public void Close(AccessSession session) => _sessions.TryRemove(session, out _);

    private TokenTable Read() => TokenTableFile.Read(_option, _path, _keyPath is null ? null : TokenKeys.Read(_keyPath));
}
