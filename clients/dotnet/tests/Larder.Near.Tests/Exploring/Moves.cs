namespace Larder.Near.Tests.Exploring;

/// <summary>The possible moves of one state. Contains the state after each move, and the violation if a move causes one.</summary>
internal sealed class Moves<TState>
    where TState : unmanaged
{
    private readonly List<string> _texts = [];
    private readonly List<bool> _areRare = [];
    private bool _isNextRare;
    private TState[] _states = new TState[64];

    /// <summary>Gets whether descriptions of moves are formatted. An exploration formats them only when it replays the path to a violation.</summary>
    public bool IsTold { get; init; }

    public int Count { get; private set; }

    /// <summary>Gets the state that each move leads to.</summary>
    public ReadOnlySpan<TState> States => _states.AsSpan(0, Count);

    /// <summary>Gets the index of the move that causes a violation, or -1 if there is no violation.</summary>
    public int BrokenBy { get; private set; } = -1;

    /// <summary>Gets the description of the violation.</summary>
    public string Broken { get; private set; } = "";

    public string TextOf(int move) => _texts[move];

    /// <summary>Returns whether a move is rare. This information is available only if descriptions are formatted.</summary>
    public bool IsRare(int move) => _areRare[move];

    /// <summary>
    /// Marks the next added move as rare. An exploration ignores this; a random walk takes rare moves less often, and so reaches deeper states.
    /// </summary>
    public void Rarely() => _isNextRare = true;

    /// <summary>Marks the next added move as a violation.</summary>
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
