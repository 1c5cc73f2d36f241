using System.Text;
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ListCachesOperation : IOperation<ListCachesOperation, CacheResult<IReadOnlyList<CacheInfo>>>
{
    public static OperationInfo Info => OperationTable.ListCaches;

    public int KeyLength => 0;

    public void EndCopies(NearReads near, string cache)
    {
    }

    public int Measure() => 0;

    public void Write(ref ProtoWriter writer)
    {
    }

    public static CacheResult<IReadOnlyList<CacheInfo>> Decode(ReadOnlySpan<byte> payload)
    {
        List<CacheInfo> caches = [];
        ProtoReader reader = new(payload);
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out ReadOnlySpan<byte> cache))
            {
                caches.Add(DecodeCache(cache));
            }
            else
            {
                reader.TrySkip();
            }
        }

        Answer.ThrowIfMalformed(reader);
        return CacheResult<IReadOnlyList<CacheInfo>>.Success(caches);
    }

    public static CacheResult<IReadOnlyList<CacheInfo>> Fail(CacheError error) => CacheResult<IReadOnlyList<CacheInfo>>.Failed(error);

    private static CacheInfo DecodeCache(ReadOnlySpan<byte> cache)
    {
        string name = Encoding.UTF8.GetString(Answer.ReadBytes(cache, 1));
        ReadOnlySpan<byte> limits = Answer.ReadBytes(cache, 2);
        ulong maxTtlSeconds = Math.Min(Answer.ReadVarint(limits, 4), uint.MaxValue);
        return new CacheInfo(name, (int)Math.Min(Answer.ReadVarint(limits, 3), int.MaxValue), TimeSpan.FromSeconds(maxTtlSeconds));
    }
}
