// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class UpdateTtlOperation(CacheBytes key, UpdateTtlChange change, ulong ttlMs) : IOperation<UpdateTtlOperation, LookupResult<bool>>
{
    public static OperationInfo Info => OperationTable.UpdateTtl;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(1, key) + ProtoWriter.VarintFieldLength((int)change, ttlMs);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
        writer.WriteVarintField((int)change, ttlMs);
    }

    public static LookupResult<bool> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out _) switch
    {
        1 => BooleanResults.Hit(true),
        2 => BooleanResults.Hit(false),
        3 => LookupResult<bool>.Miss,
        _ => throw Answer.Unexpected("updateTtl"),
    };

    public static LookupResult<bool> Fail(CacheError error) => LookupResult<bool>.Failed(error);
}

/// <summary>The fields of <c>UpdateTtlRequest.change</c>.</summary>
internal enum UpdateTtlChange
{
    IncreaseTo = 2,
    DecreaseTo = 3,
    OverwriteTo = 4,
}
