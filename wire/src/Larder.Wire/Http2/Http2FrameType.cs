namespace Larder.Wire.Http2;

/// <summary>The types of frames (RFC 9113, section 6). Frames of other types are ignored.</summary>
internal enum Http2FrameType : byte
{
    Data = 0,
    Headers = 1,
    Priority = 2,
    ResetStream = 3,
    Settings = 4,
    PushPromise = 5,
    Ping = 6,
    GoAway = 7,
    WindowUpdate = 8,
    Continuation = 9,
}
