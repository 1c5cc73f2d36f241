using System.Buffers;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>Increment: adds to a base-10 integer, which it creates where missing, and refreshes its TTL unless told to keep it.</summary>
internal static class IncrementCall
{
    private const int KeepTtlField = 64;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = Decode(request, out ReadOnlySpan<byte> key, out long amount, out ulong ttlMs, out bool keepTtl)
            ?? target.Rules.CheckItem(key, default, ttlMs);
        return error ?? target.Cache.Increment(key, amount, (long)ttlMs, out long value, keepTtl) switch
        {
            IncrementOutcome.NotAnInteger => CallError.NotAnInteger,
            IncrementOutcome.Overflow => CallError.Overflow,
            IncrementOutcome.NoCache => CallError.CacheNotFound(target.Cache.Name),
            _ => Answer(response, value),
        };
    }

    private static CallError? Answer(IBufferWriter<byte> response, long value)
    {
        // proto3 leaves a zero out.
        if (value != 0)
        {
            int length = ProtoWriter.VarintFieldLength(1, (ulong)value);
            ProtoWriter writer = new(response.GetSpan(length));
            writer.WriteVarintField(1, (ulong)value);
            response.Advance(length);
        }

        return null;
    }

    private static CallError? Decode(ReadOnlySpan<byte> request, out ReadOnlySpan<byte> key, out long amount, out ulong ttlMs, out bool keepTtl)
    {
        key = default;
        amount = 0;
        ttlMs = 0;
        keepTtl = false;
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            ulong number;
            if (reader.Is(1, ProtoWireType.LengthDelimited))
            {
                reader.TryReadBytes(out key);
            }
            else if (reader.Is(2, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out number);
                amount = (long)number;
            }
            else if (reader.Is(3, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out ttlMs);
            }
            else if (reader.Is(KeepTtlField, ProtoWireType.Varint))
            {
                reader.TryReadVarint(out number);
                keepTtl = number != 0;
            }
            else
            {
                reader.TrySkip();
            }

            if (reader.IsMalformed)
            {
                return CallError.Malformed;
            }
        }

        return reader.IsMalformed ? CallError.Malformed : null;
    }
}
