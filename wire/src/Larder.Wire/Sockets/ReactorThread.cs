namespace Larder.Wire.Sockets;

/// <summary>A thread of a <see cref="Reactor"/>. One that is kept by what it runs is replaced, and ends when it is let go.</summary>
internal sealed class ReactorThread(Reactor reactor)
{
    [ThreadStatic]
    private static ReactorThread? _current;

    private int _isReplaced;

    /// <summary>The thread that this is; null on any other.</summary>
    public static ReactorThread? Current => _current;

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

    private void Run()
    {
        _current = this;
        reactor.Serve(this);
    }
}
