namespace Larder.Lab.Story;

/// <summary>The published result of a row as text, and its numbers if there are any: requests per second, p99.9 in µs, open connections.</summary>
internal sealed record Published(string Text, double? RequestsPerSecond = null, double? P999Us = null, double? Connections = null);
