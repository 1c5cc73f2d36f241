namespace Larder.Wire.Http2;

/// <summary>The settings of HTTP/2 (RFC 9113, section 6.5.2).</summary>
internal enum Http2Setting : ushort
{
    HeaderTableSize = 1,
    EnablePush = 2,
    MaxConcurrentStreams = 3,
    InitialWindowSize = 4,
    MaxFrameSize = 5,
    MaxHeaderListSize = 6,
}
