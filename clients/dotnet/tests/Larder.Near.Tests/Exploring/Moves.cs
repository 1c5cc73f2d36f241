namespace Larder.Near.Tests.Exploring;

/// <summary>The moves that are possible in one state, each with where it leads, and what it breaks.</summary>
internal sealed class Moves<TState>
    where TState : unmanaged
{
    private readonly List<string> _texts = [];
    private readonly List<bool> _areRare = [];
    private bool _isNextRare;
    private TState[] _states = new TState[64];

    /// <summary>Whether moves are described: only on the way to what was found.</summary>
    public bool IsTold { get; init; }

    public int Count { get; private set; }

    /// <summary>Where each leads.</summary>
    public ReadOnlySpan<TState> States => _states.AsSpan(0, Count);

    /// <summary>The number of the move that breaks the promise; -1: none does.</summary>
    public int BrokenBy { get; private set; } = -1;

    /// <summary>What is broken by it.</summary>
    public string Broken { get; private set; } = "";

    public string TextOf(int move) => _texts[move];

    /// <summary>Whether a move is one that seldom happens; known where moves are told.</summary>
    public bool IsRare(int move) => _areRare[move];

    /// <summary>The move that is added next seldom happens: nothing to an exploration, but a random walk gets further with few of them.</summary>
    public void Rarely() => _isNextRare = true;

    /// <summary>The move that is added next breaks the promise.</summary>
    public void Break(string how)
    {
        if (BrokenBy < 0)
        {
            BrokenBy = Count;
            Broken = how;
        }
    }

    /// <summary>Adds a move.</summary>
    public void Add(in TState next, [System.Runtime.CompilerServices.InterpolatedStringHandlerArgument("")] ref MoveText<TState> text)
    {
        if (Count == _states.Length)
        {
            Array.Resize(ref _states, 2 * Count);
        }

        _states[Count++] = next;
        if (IsTold)
        {
            _texts.Add(text.ToString());
            _areRare.Add(_isNextRare);
        }

        _isNextRare = false;
    }

    public void Clear()
    {
        Count = 0;
        BrokenBy = -1;
        _texts.Clear();
        _areRare.Clear();
    }
}
