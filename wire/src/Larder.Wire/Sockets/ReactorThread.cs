namespace Larder.Wire.Sockets;

/// <summary>
/// A thread of a <see cref="Reactor"/>. If application code blocks a thread, the thread is replaced. The blocked thread ends when it is unblocked.
/// </summary>
internal sealed class ReactorThread(Reactor reactor)
{
    [ThreadStatic]
    private static ReactorThread? _current;

    // The actions to run after the current round. A list is fast enough, because there are only a few actions.
    private readonly List<Action> _after = [];
    private int _isReplaced;

    /// <summary>Gets the current reactor thread, or null on other threads.</summary>
    public static ReactorThread? Current => _current;

    /// <summary>Gets the reactor to which the thread belongs.</summary>
    public Reactor Reactor => reactor;

    /// <summary>Gets whether another thread has replaced this thread.</summary>
    public bool IsReplaced => Volatile.Read(ref _isReplaced) != 0;

    /// <summary>Starts the thread.</summary>
    public void Start() => new Thread(Run) { IsBackground = true, Name = "larder sockets" }.UnsafeStart();

    /// <summary>Starts another thread that takes over the reactor's sockets. Does nothing if called again.</summary>
    public void Replace()
    {
        if (Interlocked.Exchange(ref _isReplaced, 1) == 0)
        {
            new ReactorThread(reactor).Start();
        }
    }

    /// <summary>
    /// Defers an action until the current round of short turns has ended. The action then runs on this thread, which must be the calling thread. An action that
    /// is added several times runs once. The action must not throw.
    /// </summary>
    public void AfterRound(Action action)
    {
        if (!_after.Contains(action))
        {
            _after.Add(action);
        }
    }

    /// <summary>Runs the deferred actions, including actions that are added while they run.</summary>
    public void EndRound()
    {
        while (_after.Count > 0)
        {
            Action action = _after[^1];
            _after.RemoveAt(_after.Count - 1);
            action();
        }
    }

    private void Run()
    {
        _current = this;
        reactor.Serve(this);
    }
}
