// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SortedSetIncrementOperation(
    CacheBytes name,
    CacheBytes element,
    double amount,
    WireTtl ttl) : IOperation<SortedSetIncrementOperation, CacheResult<double>>
{
    public static OperationInfo Info => OperationTable.SortedSetIncrement;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name) + Field.Measure(2, element) + ProtoWriter.DoubleFieldLength(3) + Field.MeasureTtl(4, ttl);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, element);
        writer.WriteDoubleField(3, amount);
        Field.WriteTtl(ref writer, 4, 5, ttl);
    }

    public static CacheResult<double> Decode(ReadOnlySpan<byte> payload) =>
        CacheResult<double>.Success(Answer.ReadDouble(payload, 1));

    public static CacheResult<double> Fail(CacheError error) => CacheResult<double>.Failed(error);
}
