using System.Buffers;
using Larder.Store;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>UpdateTtl: raises, lowers or overwrites the time that an item has left.</summary>
internal static class UpdateTtlCall
{
    private const int Set = 1;
    private const int NotSet = 2;
    private const int Missing = 3;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = Decode(request, out ReadOnlySpan<byte> key, out int change, out ulong ttlMs)
            ?? CallRules.CheckKey(key)
            ?? (change == 0 ? CallError.NoTtlChange : target.Rules.CheckTtl(ttlMs));
        if (error is not null)
        {
            return error;
        }

        TtlUpdate update = change switch
        {
            2 => TtlUpdate.IncreaseTo,
            3 => TtlUpdate.DecreaseTo,
            _ => TtlUpdate.OverwriteTo,
        };
        response.WriteEmptyArm(target.Cache.UpdateTtl(key, update, (long)ttlMs) switch
        {
            TtlUpdateOutcome.Set => Set,
            TtlUpdateOutcome.NotSet => NotSet,
            _ => Missing,
        });
        return null;
    }

    private static CallError? Decode(ReadOnlySpan<byte> request, out ReadOnlySpan<byte> key, out int change, out ulong ttlMs)
    {
        key = default;
        change = 0;
        ttlMs = 0;
        ProtoReader reader = new(request);
        while (reader.NextField())
        {
            bool read;
            if (reader.Is(1, ProtoWireType.LengthDelimited))
            {
                read = reader.TryReadBytes(out key);
            }
            else if (reader is { Field: >= 2 and <= 4, WireType: ProtoWireType.Varint })
            {
                change = reader.Field;
                read = reader.TryReadVarint(out ttlMs);
            }
            else
            {
                read = reader.TrySkip();
            }

            if (!read)
            {
                break;
            }
        }

        return reader.IsMalformed ? CallError.Malformed : null;
    }
}
