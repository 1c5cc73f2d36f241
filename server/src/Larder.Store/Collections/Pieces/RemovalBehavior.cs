namespace Larder.Store.Collections;

/// <summary>Specifies how a walk through a list in pieces reacts if elements were removed from the middle of the list.</summary>
internal enum RemovalBehavior
{
    /// <summary>The walk fails and must be started again.</summary>
    Refuse,

    /// <summary>The walk continues at its current index. It may skip or repeat elements.</summary>
    GoOn,

    /// <summary>
    /// The walk goes back by the number of removed elements. It visits every element that exists during the whole walk, and may visit some elements twice.
    /// </summary>
    GoBack,
}
