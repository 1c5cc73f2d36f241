using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>A request of which only field 1, the key, matters: Get, Delete, ItemGetTtl and their like.</summary>
internal static class KeyRequest
{
    /// <summary>Decodes and checks the key; null on success.</summary>
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
