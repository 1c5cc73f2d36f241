using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <content>
/// Stores the union. One script replaces the destination. The elements are arguments of the script, or were written to a temporary key before.
/// </content>
internal sealed partial class UnionJoin
{
    // The TTL of a temporary key, in case it is never used.
    private static readonly TimeSpan s_asideTtl = TimeSpan.FromMinutes(1);

    // The maximum number of sources that are passed to one script as keys.
    private const int MaxKeys = 64;

    private byte[] _aside = [];
    private IEnumerator<KeyValuePair<ReadOnlyMemory<byte>, double>>? _toWrite;
    private int _written;

    // If there are few elements and all keys share a slot, one script runs Redis's own atomic union.
    private bool TryBeginInOneSlot(RemoteCommand part)
    {
        if (_elements > FleetLimits.ElementsPerStep || _sources.Length > MaxKeys)
        {
            return false;
        }

        ReadOnlySpan<byte> request = Whole.Request.Span;
        byte[] prefix = Whole.Target.Cache.Prefix;
        int slot = KeySlot.Of(prefix, Name);
        foreach ((Range key, _) in _sources)
        {
            if (KeySlot.Of(prefix, request[key]) != slot)
            {
                return false;
            }
        }

        part.Effort = Effort.Heavy;
        part.BeginScript(CollectionScripts.SortedSetUnion, 1 + _sources.Length, 2 + _sources.Length);
        part.AddKey(prefix, Name);
        part.CheckTags(Name);
        foreach ((Range key, _) in _sources)
        {
            part.AddKey(prefix, request[key]);
        }

        part.Add(_aggregate switch { ScoreAggregate.Min => "MIN"u8, ScoreAggregate.Max => "MAX"u8, _ => "SUM"u8 });
        part.Add(_ttlMs);
        foreach ((_, double weight) in _sources)
        {
            part.AddScore(weight);
        }

        _phase = UnionPhase.Placing;
        _length = -1;
        return true;
    }

    private bool BeginStoring(RemoteCommand part)
    {
        if (_phase == UnionPhase.Reading && _scores.Count <= FleetLimits.ElementsPerStep)
        {
            _phase = UnionPhase.Placing;
            _length = _scores.Count;
            part.Effort = Effort.Heavy;
            part.Begin(CollectionScripts.SortedSetReplace, Name, 1 + (2 * _scores.Count));
            part.Add(_ttlMs);
            foreach ((ReadOnlyMemory<byte> element, double score) in _scores.All)
            {
                AddElement(part, element, score);
            }

            return true;
        }

        if (_phase == UnionPhase.Reading)
        {
            _phase = UnionPhase.WritingAside;
            _aside = [.. "LU:{"u8, .. KeySlot.TagOf(KeySlot.Of(Whole.Target.Cache.Prefix, Name)), .. "}"u8, .. Guid.NewGuid().ToByteArray()];
            _toWrite = _scores.All.GetEnumerator();
        }

        if (_written < _scores.Count)
        {
            WriteTemporaryPart(part);
        }
        else
        {
            _phase = UnionPhase.Placing;
            _length = _scores.Count;
            part.BeginScript(CollectionScripts.SortedSetPlace, 2, 2);
            part.AddKey(Whole.Target.Cache.Prefix, Name);
            part.CheckTags(Name);
            part.AddKey(default, _aside);
            part.Add(_length);
            part.Add(_ttlMs);
        }

        return true;
    }

    private void WriteTemporaryPart(RemoteCommand part)
    {
        int count = Math.Min(_scores.Count - _written, FleetLimits.ElementsPerStep);
        part.IsRepeatable = true;
        part.Effort = Effort.Heavy;
        part.BeginScript(CollectionScripts.CollectionAdd, 1, 4 + (2 * count));
        part.AddKey(default, _aside);
        part.Add("zset"u8);
        part.Add("ZADD"u8);
        part.Add((long)s_asideTtl.TotalMilliseconds);
        part.Add(1);
        for (int left = count; left > 0 && _toWrite!.MoveNext(); left--)
        {
            AddElement(part, _toWrite.Current.Key, _toWrite.Current.Value);
        }

        _written += count;
    }

    private static void AddElement(RemoteCommand part, ReadOnlyMemory<byte> element, double score)
    {
        part.AddScore(score);
        part.Add(element.Span);
    }

    private void TakeStored(in RespReader reply)
    {
        if (_phase != UnionPhase.Placing)
        {
            return;
        }

        if (_length < 0)
        {
            _length = reply.Integer;
        }
        else if (reply.Integer == 0)
        {
            _refusal = FleetErrors.Contended;
        }
    }
}
