using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests.Support;

/// <summary>One log event: its text, and its fields by name.</summary>
internal sealed record LogLine(string Event, LogLevel Level, string Text, IReadOnlyDictionary<string, object?> Named)
{
    /// <summary>Returns the values of the given fields, in that order.</summary>
    public string Fields(params string[] names) => string.Join(' ', names.Select(name => Named[name]));
}
