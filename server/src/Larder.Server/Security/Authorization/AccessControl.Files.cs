using System.Collections.Concurrent;

namespace Larder.Server.Security;

/// <summary>The files, read again whole, and the streams that go by them.</summary>
internal sealed partial class AccessControl
{
    private readonly string _option;
    private readonly string _path;
    private readonly string? _keyPath;
    private readonly FileWatch _watch;
    private readonly FileWatch? _keyWatch;
    private readonly FormerTokens _former;
    private readonly ConcurrentDictionary<AccessSession, bool> _sessions = new();
    private volatile TokenTable _table;

    /// <param name="option">The option of the file of tokens, for errors.</param>
    /// <param name="path">The file of tokens.</param>
    /// <param name="time">The clock.</param>
    /// <param name="keyPath">The file of the keys that disposable tokens are signed by; null: there are none.</param>
    /// <exception cref="ServerOptionsException">A file cannot be read, or is none of tokens, or of keys.</exception>
    public AccessControl(string option, string path, TimeProvider time, string? keyPath = null)
    {
        _option = option;
        _path = path;
        _keyPath = keyPath;
        Time = time;
        _former = new FormerTokens(time);
        _watch = new FileWatch(path);
        _keyWatch = keyPath is null ? null : new FileWatch(keyPath);
        _table = Read();
    }

    /// <summary>Where the file is.</summary>
    public string Path => _path;

    /// <summary>Where the keys are; null: there are none.</summary>
    public string? KeyPath => _keyPath;

    /// <summary>Whether a file is another than was read last, and was the same when this was asked before. Asked by one thread.</summary>
    public bool HasFileChanged => _watch.HasChanged() | (_keyWatch?.HasChanged() ?? false);

    /// <summary>What the files said when they were read last.</summary>
    public TokenTable Table => _table;

    /// <summary>The streams that are open.</summary>
    public IEnumerable<AccessSession> Sessions => _sessions.Keys;

    /// <summary>Reads the files again, whole: calls and turns of streams go by them from now on, and streams that wait are ended where they must.</summary>
    /// <exception cref="ServerOptionsException">One cannot be read, or is no such file: what was read before goes on.</exception>
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

        HashSet<string> names = [.. _table.Entries.SelectMany(static entry => (string[])[entry.UseName, TokenEntry.UseNameOfDisposable(entry.Id)])];
        foreach (string gone in _uses.Keys.Where(name => !names.Contains(name)))
        {
            _uses.TryRemove(gone, out _);
        }

        EndSessions();
    }

    /// <summary>Looks at the streams: those whose token has gone or expired are ended, though they wait for their client.</summary>
    public void EndSessions()
    {
        foreach (AccessSession session in _sessions.Keys)
        {
            session.EndIfOver();
        }
    }

    /// <summary>A stream begins, whose turns ask from now on.</summary>
    /// <param name="token">Who opened it.</param>
    /// <param name="opening">What is known of it from its call.</param>
    public AccessSession Open(KnownToken token, AccessSession.Opening opening)
    {
        AccessSession session = new(this, token, opening);
        _sessions[session] = true;
        return session;
    }

    /// <summary>The stream has ended.</summary>
    public void Close(AccessSession session) => _sessions.TryRemove(session, out _);

    private TokenTable Read() => TokenTableFile.Read(_option, _path, _keyPath is null ? null : TokenKeys.Read(_keyPath));
}
