using System.Reflection;

namespace Larder.FileStore.Tests;

public sealed class DependencyTests
{
    [Fact]
    public void File_store_references_only_system_and_Microsoft_assemblies()
    {
        AssemblyName[] references = typeof(CacheFileHandler).Assembly.GetReferencedAssemblies();
        Assert.DoesNotContain(references, r => r.Name!.StartsWith("Larder", StringComparison.Ordinal));
        Assert.All(references, r => Assert.Matches("^(System|Microsoft\\.Extensions|Microsoft\\.Win32|netstandard)", r.Name));
    }
}
