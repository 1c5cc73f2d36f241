using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>The result of a stream.</summary>
internal enum StreamOutcome
{
    None,

    /// <summary>The server ended the stream; the status is in the stream's head.</summary>
    Answered,

    /// <summary>The transport failed or a rule was violated; the failure of the stream contains the details.</summary>
    Failed,

    /// <summary>The caller cancelled the call.</summary>
    Cancelled,

    /// <summary>The deadline passed.</summary>
    Expired,
}
