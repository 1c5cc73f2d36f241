using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// Computes a union. First, the elements of the sources are counted. If there are few elements and the sources share a slot with the destination, one script
/// computes and stores the union. Otherwise the gateway reads the sources, computes the union and replaces the destination in one step (FLEET-14). See
/// <c>UnionJoin.Storing.cs</c>.
/// </summary>
internal sealed partial class UnionJoin : RemoteJoin
{
    private readonly (Range Key, double Weight)[] _sources;
    private readonly Range _name;
    private readonly ScoreAggregate _aggregate;
    private readonly long _ttlMs;
    private readonly UnionScores _scores;
    private UnionPhase _phase;
    private CallError? _refusal;
    private long _elements;
    private long _read;
    private int _asked;
    private int _counted;
    private int _source;
    private long _at;
    private long _length;

    /// <param name="whole">The call, whose request must already be stored.</param>
    /// <param name="sources">The checked request, decoded from <paramref name="request"/>.</param>
    /// <param name="request">The request message, with the same bytes as the stored request.</param>
    public UnionJoin(RemoteCommand whole, scoped in ElementsRequest sources, ReadOnlySpan<byte> request)
        : base(whole)
    {
        _name = PlaceOf(request, sources.Name);
        _aggregate = (ScoreAggregate)sources.Third;
        _ttlMs = (long)sources.Fourth;
        _scores = new UnionScores(_aggregate);
        CollectionBatch batch = sources.Elements;
        _sources = new (Range, double)[batch.Count];
        for (int index = 0; index < _sources.Length; index++)
        {
            _sources[index] = (PlaceOf(request, batch.NameAt(index)), batch.ScoreAt(index));
        }
    }

    protected override int AtOnce => _phase == UnionPhase.Counting ? FleetLimits.MaxConcurrentParts : 1;

    protected override bool IsEnough => _refusal is not null;

    private ReadOnlySpan<byte> Name => Whole.Request.Span[_name];

    protected override bool BeginNext(RemoteCommand part)
    {
        if (_phase == UnionPhase.Counting)
        {
            if (_asked < _sources.Length)
            {
                part.IsRepeatable = true;
                part.Begin("ZCARD"u8, Whole.Request.Span[_sources[_asked++].Key]);
                return true;
            }

            if (_counted < _sources.Length)
            {
                // Some replies to the count commands have not arrived yet.
                return false;
            }

            _phase = UnionPhase.Reading;
            if (TryBeginInOneSlot(part))
            {
                return true;
            }
        }

        if (_phase == UnionPhase.Reading && _source < _sources.Length)
        {
            BeginPage(part);
            return true;
        }

        return _phase != UnionPhase.Placing && BeginStoring(part);
    }

    protected override void Take(int index, ref RespReader reply)
    {
        if (_counted < _sources.Length)
        {
            _counted++;
            _elements += reply.Integer;
            if (_elements > Cache.MaxUnionElements)
            {
                _refusal = CollectionErrors.TooManyInSources;
            }
        }
        else if (_phase == UnionPhase.Reading)
        {
            TakePage(ref reply);
        }
        else
        {
            TakeStored(reply);
        }
    }

    protected override CallError? Write(IBufferWriter<byte> response)
    {
        if (_refusal is null)
        {
            response.WriteVarint(1, (ulong)_length);
        }

        return _refusal;
    }

    protected override void LetGo() => _scores.LetGo();

    private static Range PlaceOf(ReadOnlySpan<byte> request, ReadOnlySpan<byte> bytes)
    {
        request.Overlaps(bytes, out int at);
        return at..(at + bytes.Length);
    }

    private void BeginPage(RemoteCommand part)
    {
        part.IsRepeatable = true;
        part.Effort = Effort.Heavy;
        part.Begin(CollectionScripts.SortedSetFetch, Whole.Request.Span[_sources[_source].Key], 8);
        part.Add(0);
        part.Add(1);
        part.Add(CollectionAnswer.MaxBytes);
        part.Add(ScoredElement.OverheadBytesPerElement);
        part.Add(_at);
        part.Add(-FleetLimits.ElementsPerStep);
        part.Add(0);
        part.Add(ReadOnlySpan<byte>.Empty);
    }

    private void TakePage(ref RespReader reply)
    {
        long behind = 0;
        int count = 0;
        if (!reply.IsNull)
        {
            reply.Read();
            behind = reply.Integer;
            reply.Read();
            count = ScoredReply.CountIn(reply);
        }

        _read += count;
        if (_read > Cache.MaxUnionElements)
        {
            _refusal = CollectionErrors.TooManyInSources;
            return;
        }

        for (int left = count; left > 0; left--)
        {
            CollectionElement element = ScoredReply.Next(ref reply);
            if (!_scores.TryAdd(element.Name, element.Score * _sources[_source].Weight))
            {
                _refusal = CallError.NoBuffer;
                return;
            }
        }

        _at += count;
        if (behind <= 0)
        {
            _source++;
            _at = 0;
        }
    }
}
