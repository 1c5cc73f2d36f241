namespace Larder.Server.Calls;

/// <summary>The encoding of the elements in field 2 of a request.</summary>
internal enum ElementShape
{
    /// <summary>The field is repeated and contains bytes.</summary>
    Names,

    /// <summary>The field contains bytes and is not repeated. If it occurs several times, the last occurrence is used.</summary>
    OneName,

    /// <summary>The field is repeated and contains messages with a name in field 1 and bytes in field 2.</summary>
    Fields,

    /// <summary>The field is repeated and contains messages with a name in field 1 and a double in field 2.</summary>
    Scored,

    /// <summary>The field is repeated and contains messages with a name in field 1 and a float in field 2.</summary>
    Weighted,
}
