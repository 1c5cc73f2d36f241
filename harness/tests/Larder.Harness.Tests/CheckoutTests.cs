namespace Larder.Harness.Tests;

public sealed class CheckoutTests
{
    [Fact]
    public void Checkout_root_contains_running_assembly()
    {
        Assert.StartsWith(Checkout.Root, AppContext.BaseDirectory, StringComparison.Ordinal);
        Assert.Contains("Larder.Harness.Tests", Checkout.Read("Larder.slnx"), StringComparison.Ordinal);
    }

    [Fact]
    public void Program_returns_built_assembly_or_fails_with_its_build_command()
    {
        Assert.Equal(typeof(CheckoutTests).Assembly.Location, Checkout.Program("harness/tests/Larder.Harness.Tests"));
        HarnessException missing = Assert.Throws<HarnessException>(() => Checkout.Program("wire/none", "None"));
        Assert.Contains($"None.dll is not built; run `dotnet build -c {Checkout.Configuration} wire/none`", missing.Message, StringComparison.Ordinal);
    }
}
