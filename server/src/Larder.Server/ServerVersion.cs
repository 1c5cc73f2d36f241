using System.Reflection;

namespace Larder.Server;

/// <summary>This build's version, as the start line, <c>/stats</c> and <c>--version</c> say it.</summary>
internal static class ServerVersion
{
    public static string Text { get; } = typeof(ServerVersion).Assembly.GetName().Version?.ToString(3) ?? "0.0.0";
}
