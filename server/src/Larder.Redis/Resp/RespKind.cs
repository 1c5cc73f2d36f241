namespace Larder.Redis;

/// <summary>What a value of RESP3 is.</summary>
public enum RespKind
{
    /// <summary>Nothing: <c>_</c>, and RESP2's null string and null array.</summary>
    Null,

    /// <summary>A short text, such as <c>OK</c>.</summary>
    Text,

    /// <summary>Bytes of any length; a verbatim string without its three letters of format.</summary>
    Bytes,

    /// <summary>A 64-bit integer.</summary>
    Integer,

    /// <summary>A floating-point number.</summary>
    Double,

    /// <summary>True or false.</summary>
    Boolean,

    /// <summary>An integer of any length, as text.</summary>
    BigNumber,

    /// <summary>An error inside an array.</summary>
    Error,

    /// <summary>Values in order.</summary>
    Array,

    /// <summary>Values in no order.</summary>
    Set,

    /// <summary>Keys, each followed by its value.</summary>
    Map,

    /// <summary>What the engine says unasked. Never the answer to a command.</summary>
    Push,
}
