namespace Larder.Store.Collections;

/// <summary>What becomes of a walk through a list, in pieces, of which elements left the middle meanwhile.</summary>
internal enum WhenCut
{
    /// <summary>It ends: it is to be begun anew.</summary>
    Refuse,

    /// <summary>It goes on where it was: elements may be met twice, or not at all.</summary>
    GoOn,

    /// <summary>It goes back by as many as left: each that is there all along is met, and some of them twice.</summary>
    GoBack,
}
