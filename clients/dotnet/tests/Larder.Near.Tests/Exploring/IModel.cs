namespace Larder.Near.Tests.Exploring;

/// <summary>
/// A model to explore: an initial state, and the moves that are possible in each state. Equal states must always have the same moves in the same order.
/// </summary>
/// <typeparam name="TState">A state. It is compared by its bytes, so it must have no padding.</typeparam>
internal interface IModel<TState>
    where TState : unmanaged
{
    /// <summary>Gets the initial state.</summary>
    TState Start { get; }

    /// <summary>Determines the moves that are possible in a state, and adds them to a list.</summary>
    void AddMoves(in TState state, Moves<TState> moves);
}
