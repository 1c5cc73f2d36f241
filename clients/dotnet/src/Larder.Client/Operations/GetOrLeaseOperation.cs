using Larder.Client.Leases;
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class GetOrLeaseOperation(CacheBytes key, uint leaseMs) : IOperation<GetOrLeaseOperation, LeaseAnswer>
{
    private const int LeaseField = 2;

    // The fields of the response.
    private const int Hit = 1;
    private const int Stale = 2;
    private const int Lease = 3;
    private const int Elsewhere = 4;

    public static OperationInfo Info => OperationTable.GetOrLease;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(Field.Key, key) + ProtoWriter.VarintFieldLength(LeaseField, leaseMs);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, Field.Key, key);
        writer.WriteVarintField(LeaseField, leaseMs);
    }

    public static LeaseAnswer Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        Hit => new LeaseAnswer.Hit(Answer.ReadBytes(content, 1).ToArray()),
        Stale => new LeaseAnswer.Stale(
            Answer.ReadBytes(content, 1).ToArray(),
            Answer.ReadDuration(content, 2),
            Answer.ReadBytes(content, 3).ToArray(),
            Answer.ReadBytes(content, 4).ToArray()),
        // A lease must have a token, because a set without a token overwrites any value.
        Lease when Answer.ReadBytes(content, 1) is { Length: > 0 } token => new LeaseAnswer.Granted(token.ToArray()),
        Elsewhere => new LeaseAnswer.Elsewhere(),
        _ => throw Answer.Unexpected("getOrLease"),
    };

    public static LeaseAnswer Fail(CacheError error) => new LeaseAnswer.Failed(error);
}
