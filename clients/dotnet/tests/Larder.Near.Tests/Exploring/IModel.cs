namespace Larder.Near.Tests.Exploring;

/// <summary>What is explored: where it starts, and what may come next. The same state always has the same moves, in the same order.</summary>
/// <typeparam name="TState">A state, told from others by its bytes: no padding.</typeparam>
internal interface IModel<TState>
    where TState : unmanaged
{
    /// <summary>Where it starts.</summary>
    TState Start { get; }

    /// <summary>Adds every move that is possible in a state.</summary>
    void AddMoves(in TState state, Moves<TState> moves);
}
