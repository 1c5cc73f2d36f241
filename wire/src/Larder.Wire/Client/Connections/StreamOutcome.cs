using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>The result of a stream.</summary>
internal enum StreamOutcome
{
    None,

    /// <summary>The server ended the stream. The status is in <see cref="Http2Stream.Head"/>.</summary>
    Answered,

    /// <summary>
    /// The stream failed, for example because the transport failed or the server violated the protocol. The error is in <see cref="Http2Stream.Failure"/>.
    /// </summary>
    Failed,

    /// <summary>The caller cancelled the call.</summary>
    Cancelled,

    /// <summary>The deadline passed.</summary>
    Expired,
}
