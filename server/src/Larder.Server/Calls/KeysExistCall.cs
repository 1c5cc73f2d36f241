using System.Buffers;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>KeysExist: returns for each key, in order, whether it exists.</summary>
internal static class KeysExistCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (CountKeys(request, out int count) is { } error)
        {
            return error;
        }

        if (count == 0)
        {
            return null;
        }

        // The response contains a packed list of bools. Each bool takes one byte.
        int length = ProtoWriter.BytesFieldLength(1, count);
        ProtoWriter writer = new(response.GetSpan(length));
        writer.WriteLengthPrefix(1, count);
        RepeatedItems keys = new(request);
        while (keys.Next(out ReadOnlySpan<byte> key))
        {
            writer.WriteVarint(target.Cache.Contains(key) ? 1u : 0u);
        }

        response.Advance(length);
        return null;
    }

    /// <summary>Checks and counts the keys. Returns null on success.</summary>
    public static CallError? CountKeys(ReadOnlySpan<byte> request, out int count)
    {
        count = 0;
        RepeatedItems keys = new(request);
        while (keys.Next(out ReadOnlySpan<byte> key))
        {
            if (CallRules.CheckKey(key) is { } error)
            {
                return error;
            }

            count++;
        }

        return keys.IsMalformed ? CallError.Malformed : null;
    }
}
