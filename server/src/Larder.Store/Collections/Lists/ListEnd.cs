namespace Larder.Store.Collections;

/// <summary>An end of a list.</summary>
public enum ListEnd
{
    /// <summary>The end with index 0.</summary>
    Front,

    /// <summary>The end with the last index.</summary>
    Back,
}
