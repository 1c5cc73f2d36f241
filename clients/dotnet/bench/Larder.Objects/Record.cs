using System.ComponentModel;
using System.Globalization;
using System.Text.Json.Serialization;

namespace Larder.Objects;

/// <summary>A record of 100 lines, which is 4.7 KB as JSON. Its type is marked as immutable.</summary>
[ImmutableObject(true)]
public sealed record ImmutableRecord(int Id, IReadOnlyList<string> Lines)
{
    /// <summary>Creates a record with the same content as all other records of this program.</summary>
    public static ImmutableRecord Create() => new(7, RecordLines.Create());
}

/// <summary>The same record in a type that callers could change.</summary>
public sealed record MutableRecord(int Id, List<string> Lines)
{
    /// <summary>Creates a record with the same content as all other records of this program.</summary>
    public static MutableRecord Create() => new(7, [.. RecordLines.Create()]);
}

[JsonSerializable(typeof(ImmutableRecord))]
[JsonSerializable(typeof(MutableRecord))]
internal sealed partial class Records : JsonSerializerContext;

internal static class RecordLines
{
    public static string[] Create() =>
        [.. Enumerable.Range(0, 100).Select(static line => string.Create(CultureInfo.InvariantCulture, $"line {line:000} with some more text, 40 characters"))];
}
