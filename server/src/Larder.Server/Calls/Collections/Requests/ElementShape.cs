namespace Larder.Server.Calls;

/// <summary>What the elements of a request are, in its field 2.</summary>
internal enum ElementShape
{
    /// <summary>Repeated bytes.</summary>
    Names,

    /// <summary>Bytes, once: the last one given.</summary>
    OneName,

    /// <summary>Repeated messages: 1 a name, 2 bytes.</summary>
    Fields,

    /// <summary>Repeated messages: 1 a name, 2 a double.</summary>
    Scored,

    /// <summary>Repeated messages: 1 a name, 2 a float.</summary>
    Weighted,
}
