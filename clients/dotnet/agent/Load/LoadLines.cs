using System.Text.Json.Nodes;

namespace Larder.Agent;

/// <summary>Formats a load's progress and result as the lines that <c>conformance/AGENT.md</c> defines.</summary>
internal static class LoadLines
{
    /// <summary>Creates the line for one second, which contains the difference between <paramref name="now"/> and <paramref name="before"/>.</summary>
    public static JsonObject Progress(int second, LoadSamples now, LoadSamples? before)
    {
        LoadHistogram histogram = before is null ? now.Histogram : now.Histogram.Since(before.Histogram);
        return new JsonObject
        {
            ["progress"] = new JsonObject
            {
                ["second"] = second,
                ["requests"] = now.Requests - (before?.Requests ?? 0),
                ["errors"] = now.Failures - (before?.Failures ?? 0),
                ["hits"] = now.Hits - (before?.Hits ?? 0),
                ["misses"] = now.Misses - (before?.Misses ?? 0),
                ["p50Us"] = histogram.QuantileUs(0.5),
                ["p99Us"] = histogram.QuantileUs(0.99),
                ["p999Us"] = histogram.QuantileUs(0.999),
                ["maxUs"] = histogram.MaxNs / 1000.0,
            },
        };
    }

    /// <summary>Creates the last line, which contains the result of the whole run.</summary>
    public static JsonObject Result(LoadResult result, int? connections)
    {
        LoadSamples samples = result.Samples;
        return new JsonObject
        {
            ["result"] = "success",
            ["callers"] = result.Settings.Callers,
            ["seconds"] = result.Measured.TotalSeconds,
            ["requests"] = samples.Requests,
            ["lateRequests"] = samples.LateRequests,
            ["reads"] = samples.Reads,
            ["writes"] = samples.Histogram.Total - samples.Reads,
            ["hits"] = samples.Hits,
            ["misses"] = samples.Misses,
            ["errors"] = new JsonObject(samples.Errors.Select(pair => KeyValuePair.Create(pair.Key, (JsonNode?)pair.Value))),
            ["crossed"] = samples.Crossed,
            ["histogram"] = Histogram(samples.Histogram),
            ["serviceHistogram"] = samples.Service is null ? null : Histogram(samples.Service),
            ["lateHistogram"] = samples.Late is null ? null : Histogram(samples.Late),
            ["wireHistogram"] = result.Wire is null ? null : Histogram(result.Wire),
            ["slices"] = result.Slices is null ? null : new JsonArray([.. result.Slices.Select(Slice)]),
            ["unstarted"] = result.Unstarted,
            ["bytesAllocatedPerCall"] = result.BytesAllocatedPerCall,
            ["clientCpuSeconds"] = result.ClientCpuSeconds,
            ["residentBytes"] = Environment.WorkingSet,
            ["connections"] = connections,
            ["lagUs"] = new JsonObject { ["p50"] = result.LagP50Us, ["p99"] = result.LagP99Us, ["max"] = result.LagMaxUs },
        };
    }

    /// <summary>Formats a histogram as sparse counts.</summary>
    public static JsonObject Histogram(LoadHistogram histogram) => new()
    {
        ["unit"] = "ns",
        ["counts"] = new JsonArray([.. histogram.Counts().Select(pair => new JsonArray(pair.Index, pair.Count))]),
        ["maxNs"] = histogram.MaxNs,
        ["sumNs"] = histogram.SumNs,
    };

    private static JsonObject Slice(LoadSlice slice) => new()
    {
        ["endMs"] = Math.Round(slice.End.TotalMilliseconds, 1),
        ["counts"] = new JsonArray([.. slice.Cells.Select(cell => new JsonArray(cell.Bucket, cell.Count))]),
    };

    /// <summary>Parses a histogram.</summary>
    /// <exception cref="FormatException">The unit of the histogram is not ns, or an index is out of range.</exception>
    public static LoadHistogram ReadHistogram(JsonNode json)
    {
        if ((string?)json["unit"] != "ns")
        {
            throw new FormatException($"the unit of a histogram must be ns, but is {json["unit"]}");
        }

        var histogram = new LoadHistogram();
        foreach (JsonNode? pair in json["counts"]!.AsArray())
        {
            (int index, long count) = ((int)pair![0]!, (long)pair[1]!);
            if (index is < 0 or >= LoadHistogram.IndexCount || count <= 0)
            {
                throw new FormatException($"invalid histogram entry: index {index} with count {count}");
            }

            histogram.Record(index, count, 0, 0);
        }

        histogram.SetExact((long)json["maxNs"]!, (long)json["sumNs"]!);
        return histogram;
    }
}
