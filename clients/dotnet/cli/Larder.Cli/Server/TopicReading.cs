using System.Text.Json;

namespace Larder.Cli;

/// <summary>The statistics of all topics of a server.</summary>
internal sealed record TopicReading(long Topics, long Subscribers, long Messages, long Deliveries, long Gaps)
{
    public static TopicReading Of(JsonElement topics) => new(
        (long)StatsReading.Number(topics, "topics"),
        (long)StatsReading.Number(topics, "subscribers"),
        (long)StatsReading.Number(topics, "messages"),
        (long)StatsReading.Number(topics, "deliveries"),
        (long)StatsReading.Number(topics, "gaps"));
}
