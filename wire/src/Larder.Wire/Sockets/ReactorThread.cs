namespace Larder.Wire.Sockets;

/// <summary>A thread of a <see cref="Reactor"/>. One that is kept by what it runs is replaced, and ends when it is let go.</summary>
internal sealed class ReactorThread(Reactor reactor)
{
    [ThreadStatic]
    private static ReactorThread? _current;

    // A store or two: those that put something off.
    private readonly List<Action> _after = [];
    private int _isReplaced;

    /// <summary>The thread that this is; null on any other.</summary>
    public static ReactorThread? Current => _current;

    /// <summary>Its reactor.</summary>
    public Reactor Reactor => reactor;

    /// <summary>True once another thread does its work.</summary>
    public bool IsReplaced => Volatile.Read(ref _isReplaced) != 0;

    /// <summary>Starts it.</summary>
    public void Start() => new Thread(Run) { IsBackground = true, Name = "larder sockets" }.UnsafeStart();

    /// <summary>Has another thread go on with its sockets. Nothing happens the second time.</summary>
    public void Replace()
    {
        if (Interlocked.Exchange(ref _isReplaced, 1) == 0)
        {
            new ReactorThread(reactor).Start();
        }
    }

    /// <summary>
    /// Has something run on this thread, which calls it, once the turns of the sockets that are told now are over, long ones apart; once, however often it is
    /// asked for. It may not throw.
    /// </summary>
    public void AfterRound(Action action)
    {
        if (!_after.Contains(action))
        {
            _after.Add(action);
        }
    }

    /// <summary>Runs what was put off; what that puts off, too.</summary>
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
