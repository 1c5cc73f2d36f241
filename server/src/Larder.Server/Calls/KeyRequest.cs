using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>A request whose only relevant field is the key (field 1), such as Get, Delete and ItemGetTtl.</summary>
internal static class KeyRequest
{
    /// <summary>Decodes the request and checks the key. Returns null on success.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out ReadOnlySpan<byte> key)
    {
        key = default;
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.LengthDelimited))
            {
                reader.TryReadBytes(out key);
            }
            else
            {
                reader.TrySkip();
            }

            if (reader.IsMalformed)
            {
                break;
            }
        }

        return reader.IsMalformed ? CallError.Malformed : CallRules.CheckKey(key);
    }
}
