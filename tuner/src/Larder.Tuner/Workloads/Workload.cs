using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Report.Runs;

namespace Larder.Tuner.Workloads;

/// <summary>
/// The calls that clients make. This is a built-in workload of the agents (<c>reference</c>, <c>production</c>), a JSON file, or a trace to replay (CSV). The
/// fields of a JSON file are those in <c>conformance/AGENT.md</c>, "Workload". The file may contain <c>hitRatio</c> instead of <c>missRatio</c>.
/// </summary>
internal sealed class Workload
{
    private static readonly string[] s_fields =
        ["name", "keys", "zipf", "readRatio", "missRatio", "hitRatio", "valueBytes", "valueBytesMix", "ttlMs", "ttlMsMix", "preload", "trace"];

    private readonly JsonObject _fields;

    private Workload(JsonObject fields, string name)
    {
        (_fields, Name) = (fields, name);
    }

    /// <summary>Gets the reference workload: values of 100 bytes, 1,000 equally likely keys, half gets and half sets.</summary>
    public static Workload Reference { get; } = new(new JsonObject { ["name"] = "reference" }, "reference");

    /// <summary>Gets the name in reports.</summary>
    public string Name { get; }

    /// <summary>Parses the value of <c>--workload</c>.</summary>
    /// <exception cref="FormatException">The value is neither a known name nor a file with a workload.</exception>
    public static Workload Parse(string text)
    {
        if (text is "reference" or "production")
        {
            return new(new JsonObject { ["name"] = text }, text);
        }

        if (!File.Exists(text))
        {
            throw new FormatException($"--workload must be reference, production, a JSON file or a trace (CSV); the file \"{text}\" does not exist");
        }

        string name = Path.GetFileName(text);
        return text.EndsWith(".csv", StringComparison.OrdinalIgnoreCase)
            ? new(new JsonObject { ["trace"] = Path.GetFullPath(text) }, name)
            : FromJson(File.ReadAllText(text), name, Path.GetDirectoryName(Path.GetFullPath(text))!);
    }

    /// <summary>Parses the text of a file. If the file names a trace, its path is relative to <paramref name="folder"/>.</summary>
    /// <exception cref="FormatException">The text is not a valid workload.</exception>
    public static Workload FromJson(string json, string name, string folder)
    {
        JsonObject fields;
        try
        {
            fields = JsonNode.Parse(json, documentOptions: new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true }) as JsonObject
                ?? throw new FormatException($"{name}: a workload must be a JSON object");
        }
        catch (JsonException wrong)
        {
            throw new FormatException($"{name}: {wrong.Message}");
        }

        if (fields.FirstOrDefault(field => !s_fields.Contains(field.Key)).Key is { } unknown)
        {
            throw new FormatException($"{name}: unknown field \"{unknown}\"; use {string.Join(", ", s_fields)}");
        }

        if (fields["hitRatio"] is { } hits)
        {
            fields.Remove("hitRatio");
            fields["missRatio"] = hits.GetValueKind() == JsonValueKind.Number && (double)hits is >= 0 and <= 1
                ? 1 - (double)hits
                : throw new FormatException($"{name}: hitRatio must be 0 to 1");
        }

        if ((string?)fields["trace"] is { } trace)
        {
            fields["trace"] = Path.GetFullPath(Path.Combine(folder, trace));
        }

        return new(fields, name);
    }

    /// <summary>
    /// Returns the field <c>workload</c> of an agent's load request. If <paramref name="preload"/> is false, the values are not preloaded, even if the workload
    /// asks for preloading.
    /// </summary>
    public JsonObject ForAgent(bool preload)
    {
        JsonObject fields = _fields.DeepClone().AsObject();
        fields["preload"] = preload && ((bool?)fields["preload"] ?? fields["trace"] is null);
        return fields;
    }

    /// <summary>Returns the description for a report.</summary>
    public TunedWorkload Describe() => new()
    {
        Name = Name,
        Keys = (int?)Number("keys", 1000, 100_000),
        Zipf = Number("zipf", 0, 1),
        ReadRatio = Number("readRatio", 0.5, 0.9),
        MissRatio = Number("missRatio", 0, 0),
        Values = Values(),
        TtlMs = Number("ttlMs", 600_000, 600_000),
        Trace = (string?)_fields["trace"] is { } trace ? Path.GetFileName(trace) : null,
    };

    private double? Number(string field, double reference, double production) => _fields switch
    {
        _ when _fields[field] is { } own && own.GetValueKind() == JsonValueKind.Number => (double)own,
        _ when _fields["trace"] is not null => null,
        _ => (string?)_fields["name"] == "production" ? production : reference,
    };

    private string? Values()
    {
        double[]? mix = _fields["valueBytesMix"]?.AsArray().Select(pair => (double)pair![0]!).ToArray();
        return _fields switch
        {
            _ when mix is { Length: > 0 } => string.Create(CultureInfo.InvariantCulture, $"{mix.Min():N0} … {mix.Max():N0} B"),
            _ when _fields["valueBytes"] is { } size => $"{size} B",
            _ when _fields["trace"] is not null => "as recorded",
            _ => (string?)_fields["name"] == "production" ? "50 … 100,000 B" : "100 B",
        };
    }
}
