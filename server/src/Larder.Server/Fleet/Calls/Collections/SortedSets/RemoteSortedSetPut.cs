using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs SortedSetPut as ZADD. If an element occurs twice, the last one wins.</summary>
internal sealed class RemoteSortedSetPut() : RemoteAdd(ElementShape.Scored, isIdempotent: true)
{
    public override void BeginPart(RemoteCommand command, scoped in ElementsPart part)
    {
        int count = part.Elements.Count;
        BeginAdd(command, part, "zset"u8, "ZADD"u8, 2 * count);
        for (int index = 0; index < count; index++)
        {
            command.AddScore(part.Elements.ScoreAt(index));
            command.Add(part.Elements.NameAt(index));
        }
    }
}
