namespace Larder.Store.Collections;

/// <summary>How a piecewise walk through a list reacts if elements were removed from the middle of the list.</summary>
internal enum RemovalBehavior
{
    /// <summary>The walk fails and must be started again.</summary>
    Refuse,

    /// <summary>The walk continues at its index; it may skip or repeat elements.</summary>
    GoOn,

    /// <summary>The walk goes back by the number of removed elements. It visits every element that exists during the whole walk, some of them twice.</summary>
    GoBack,
}
