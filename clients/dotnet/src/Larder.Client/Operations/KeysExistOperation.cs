using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class KeysExistOperation(IReadOnlyList<CacheBytes> keys) : IOperation<KeysExistOperation, KeysExistResponse>
{
    public static OperationInfo Info => OperationTable.KeysExist;

    public int KeyLength => keys.Count > 0 ? keys[0].Length : 0;

    public int Measure()
    {
        int length = 0;
        foreach (CacheBytes key in keys)
        {
            length += Field.MeasureKey(key);
        }

        return length;
    }

    public void Write(ref ProtoWriter writer)
    {
        foreach (CacheBytes key in keys)
        {
            Field.Write(ref writer, Field.Key, key);
        }
    }

    public static KeysExistResponse Decode(ReadOnlySpan<byte> payload) => new KeysExistResponse.Success(ReadFlags(payload));

    public static KeysExistResponse Fail(CacheError error) => new KeysExistResponse.Error(error);

    /// <summary>Reads a repeated bool, packed or not: proto3 lets a sender do either.</summary>
    internal static bool[] ReadFlags(ReadOnlySpan<byte> payload)
    {
        List<bool> flags = [];
        ProtoReader reader = new(payload);
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out ReadOnlySpan<byte> packed))
            {
                foreach (byte flag in packed)
                {
                    flags.Add(flag != 0);
                }
            }
            else if (reader.Is(1, ProtoWireType.Varint) && reader.TryReadVarint(out ulong flag))
            {
                flags.Add(flag != 0);
            }
            else
            {
                reader.TrySkip();
            }
        }

        Answer.ThrowIfMalformed(reader);
        return [.. flags];
    }
}
