using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests.Support;

/// <summary>One event of a log: its text, and its fields by name.</summary>
internal sealed record LogLine(string Event, LogLevel Level, string Text, IReadOnlyDictionary<string, object?> Named)
{
    /// <summary>The values of some fields, in the order asked.</summary>
    public string Fields(params string[] names) => string.Join(' ', names.Select(name => Named[name]));
}
