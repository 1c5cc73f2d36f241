using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ReleaseLeaseOperation(CacheBytes key, byte[] token) : IOperation<ReleaseLeaseOperation, CacheResult>
{
    private const int TokenField = 2;

    public static OperationInfo Info => OperationTable.ReleaseLease;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(Field.Key, key) + Field.Measure(TokenField, token);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, Field.Key, key);
        Field.Write(ref writer, TokenField, token);
    }

    // The response has no fields.
    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
