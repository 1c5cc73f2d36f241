// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class UpdateTtlIfPrefixOperation(
    CacheBytes key,
    CacheBytes prefix,
    ulong ttlMs) : IOperation<UpdateTtlIfPrefixOperation, LookupResult<PrefixTtlUpdate>>
{
    public static OperationInfo Info => OperationTable.UpdateTtlIfPrefix;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(1, key) + Field.Measure(2, prefix) + ProtoWriter.VarintFieldLength(3, ttlMs);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
        Field.Write(ref writer, 2, prefix);
        writer.WriteVarintField(3, ttlMs);
    }

    public static LookupResult<PrefixTtlUpdate> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<PrefixTtlUpdate>.Hit(default),
        2 => LookupResult<PrefixTtlUpdate>.Hit(new PrefixTtlUpdate(Answer.ReadBytes(content, 1).ToArray())),
        3 => LookupResult<PrefixTtlUpdate>.Miss,
        _ => throw Answer.Unexpected("updateTtlIfPrefix"),
    };

    public static LookupResult<PrefixTtlUpdate> Fail(CacheError error) => LookupResult<PrefixTtlUpdate>.Failed(error);
}
