namespace Larder.Store.Collections;

/// <summary>An end of a list.</summary>
public enum ListEnd
{
    /// <summary>Where index 0 is.</summary>
    Front,

    /// <summary>Where the last index is.</summary>
    Back,
}
