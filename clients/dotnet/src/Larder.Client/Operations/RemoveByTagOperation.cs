using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class RemoveByTagOperation(CacheBytes[] tags) : IOperation<RemoveByTagOperation, CacheResult>
{
    public static OperationInfo Info => OperationTable.RemoveByTag;

    public int KeyLength => 0;

    // Removes all near copies of the cache, because any of them may have the tag.
    public void EndCopies(NearReads near, string cache) => near.Flushed(cache);

    public int Measure() => Field.Measure(1, tags);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, 1, tags);

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
