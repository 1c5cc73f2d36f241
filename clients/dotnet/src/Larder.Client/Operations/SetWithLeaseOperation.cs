using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>The operation SetWithLease. It is also used for a set with tags, in which case the token is empty.</summary>
internal sealed class SetWithLeaseOperation(
    CacheBytes key, CacheBytes value, ulong ttlMs, ulong staleMs, byte[] token, CacheBytes[] tags, CacheBytes validator = default)
    : IOperation<SetWithLeaseOperation, SetIfResult>
{
    private const int StaleField = 4;
    private const int TokenField = 5;
    private const int TagsField = 6;
    private const int ValidatorField = 7;

    // The fields of the response.
    private const int Stored = 1;
    private const int NotStored = 2;

    public static OperationInfo Info => OperationTable.SetWithLease;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.MeasureItem(key, value, ttlMs) + ProtoWriter.VarintFieldLength(StaleField, staleMs)
        + Field.Measure(TokenField, token) + Field.Measure(TagsField, tags) + (validator.Length == 0 ? 0 : Field.Measure(ValidatorField, validator));

    public void Write(ref ProtoWriter writer)
    {
        Field.WriteItem(ref writer, key, value, ttlMs);
        writer.WriteVarintField(StaleField, staleMs);
        Field.Write(ref writer, TokenField, token);
        Field.Write(ref writer, TagsField, tags);
        if (validator.Length > 0)
        {
            Field.Write(ref writer, ValidatorField, validator);
        }
    }

    public static SetIfResult Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out _) switch
    {
        Stored => SetIfResult.Stored,
        NotStored => SetIfResult.NotStored,
        _ => throw Answer.Unexpected("setWithLease"),
    };

    public static SetIfResult Fail(CacheError error) => SetIfResult.Failed(error);
}
