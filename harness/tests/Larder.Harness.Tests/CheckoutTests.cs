namespace Larder.Harness.Tests;

public sealed class CheckoutTests
{
    [Fact]
    public void The_tree_is_the_one_that_this_was_built_in()
    {
        Assert.StartsWith(Checkout.Root, AppContext.BaseDirectory, StringComparison.Ordinal);
        Assert.Contains("Larder.Harness.Tests", Checkout.Read("Larder.slnx"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_program_is_found_by_its_project_and_one_that_is_not_built_says_how_to()
    {
        Assert.Equal(typeof(CheckoutTests).Assembly.Location, Checkout.Program("harness/tests/Larder.Harness.Tests"));
        HarnessException missing = Assert.Throws<HarnessException>(() => Checkout.Program("wire/none", "None"));
        Assert.Contains($"None.dll is not built; run `dotnet build -c {Checkout.Configuration} wire/none`", missing.Message, StringComparison.Ordinal);
    }
}
