namespace Larder.Lab.Story;

/// <summary>What was published of a row, in words, and as numbers where there were some: calls a second, p99.9 in µs, open connections.</summary>
internal sealed record Published(string Text, double? RequestsPerSecond = null, double? P999Us = null, double? Connections = null);
