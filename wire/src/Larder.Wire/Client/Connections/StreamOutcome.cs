using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>How a stream ended.</summary>
internal enum StreamOutcome
{
    None,

    /// <summary>The server ended it; what it said is in the stream's head.</summary>
    Answered,

    /// <summary>By the transport or by a rule; the failure says how.</summary>
    Failed,

    /// <summary>By its caller.</summary>
    Cancelled,

    /// <summary>By its deadline.</summary>
    Expired,
}
