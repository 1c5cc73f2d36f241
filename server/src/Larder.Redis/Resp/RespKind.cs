namespace Larder.Redis;

/// <summary>The types of RESP3 values.</summary>
public enum RespKind
{
    /// <summary>The null value: RESP3's <c>_</c>, and RESP2's null string and null array.</summary>
    Null,

    /// <summary>A short text, such as <c>OK</c>.</summary>
    Text,

    /// <summary>Bytes of any length. The three-letter format of a verbatim string is not included.</summary>
    Bytes,

    /// <summary>A 64-bit integer.</summary>
    Integer,

    /// <summary>A floating-point number.</summary>
    Double,

    /// <summary>True or false.</summary>
    Boolean,

    /// <summary>An integer of any length, as text.</summary>
    BigNumber,

    /// <summary>An error within an array.</summary>
    Error,

    /// <summary>An ordered list of values.</summary>
    Array,

    /// <summary>An unordered set of values.</summary>
    Set,

    /// <summary>A map: keys, each followed by its value.</summary>
    Map,

    /// <summary>A message that the engine sends without a request. It is never the reply to a command.</summary>
    Push,
}
