namespace Larder.Server.Calls;

/// <summary>The form of the elements in field 2 of a request.</summary>
internal enum ElementShape
{
    /// <summary>Repeated bytes.</summary>
    Names,

    /// <summary>Bytes, not repeated: the last occurrence is used.</summary>
    OneName,

    /// <summary>Repeated messages: 1 a name, 2 bytes.</summary>
    Fields,

    /// <summary>Repeated messages: 1 a name, 2 a double.</summary>
    Scored,

    /// <summary>Repeated messages: 1 a name, 2 a float.</summary>
    Weighted,
}
